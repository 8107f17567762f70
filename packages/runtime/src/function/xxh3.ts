/**
 * XXH3 of 64 bits, seed 0 and the default secret, after the specification of the xxHash library
 * (https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md).
 */

const SECRET = secretBytes(
  'b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f' +
    'cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c' +
    '3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8' +
    'a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364' +
    'eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e' +
    '2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e',
);
const SECRET_BYTES = 192;
const STRIPE_BYTES = 64;
const ACCUMULATE_STEP = 8;
const STRIPES_PER_BLOCK = (SECRET_BYTES - STRIPE_BYTES) / ACCUMULATE_STEP;

const PRIME32_1 = 0x9e3779b1n;
const PRIME32_2 = 0x85ebca77n;
const PRIME32_3 = 0xc2b2ae3dn;
const PRIME64_1 = 0x9e3779b185ebca87n;
const PRIME64_2 = 0xc2b2ae3d27d4eb4fn;
const PRIME64_3 = 0x165667b19e3779f9n;
const PRIME64_4 = 0x85ebca77c2b2ae63n;
const PRIME64_5 = 0x27d4eb2f165667c5n;
const PRIME_MX1 = 0x165667919e3779f9n;
const PRIME_MX2 = 0x9fb21c651e98df25n;
const MASK32 = 0xffffffffn;

function secretBytes(hex: string): DataView {
  const bytes = new Uint8Array(hex.length / 2);
  for (let index = 0; index < bytes.length; index += 1) {
    bytes[index] = Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16);
  }
  return new DataView(bytes.buffer);
}

const cut = (value: bigint): bigint => BigInt.asUintN(64, value);
const secret = (at: number): bigint => SECRET.getBigUint64(at, true);

/** Product of 128 bits with its halves folded into one. */
function foldProduct(left: bigint, right: bigint): bigint {
  const product = left * right;
  return cut(product) ^ (product >> 64n);
}

function avalanche(hash: bigint): bigint {
  const first = cut((hash ^ (hash >> 37n)) * PRIME_MX1);
  return first ^ (first >> 32n);
}

function avalanche64(hash: bigint): bigint {
  const first = cut((hash ^ (hash >> 33n)) * PRIME64_2);
  const second = cut((first ^ (first >> 29n)) * PRIME64_3);
  return second ^ (second >> 32n);
}

function rotateLeft(value: bigint, bits: bigint): bigint {
  return cut(value << bits) | (value >> (64n - bits));
}

function swapBytes(value: bigint): bigint {
  let out = 0n;
  for (let rest = value, index = 0; index < 8; index += 1, rest >>= 8n) {
    out = (out << 8n) | (rest & 0xffn);
  }
  return out;
}

/** Hash of at most 16 bytes. */
function hashShort(view: DataView): bigint {
  const length = view.byteLength;
  if (length === 0) return avalanche64(secret(56) ^ secret(64));
  if (length <= 3) {
    const [first, middle, last] = [0, length >> 1, length - 1].map((at) => view.getUint8(at));
    const combined =
      ((first as number) << 16) | ((middle as number) << 24) | (last as number) | (length << 8);
    const keyed = BigInt((SECRET.getUint32(0, true) ^ SECRET.getUint32(4, true)) >>> 0);
    return avalanche64(BigInt(combined >>> 0) ^ keyed);
  }
  if (length <= 8) {
    const first = BigInt(view.getUint32(0, true));
    const last = BigInt(view.getUint32(length - 4, true));
    const keyed = (last + (first << 32n)) ^ secret(8) ^ secret(16);
    const mixed = cut((keyed ^ rotateLeft(keyed, 49n) ^ rotateLeft(keyed, 24n)) * PRIME_MX2);
    const spread = cut((mixed ^ cut((mixed >> 35n) + BigInt(length))) * PRIME_MX2);
    return spread ^ (spread >> 28n);
  }
  const low = view.getBigUint64(0, true) ^ secret(24) ^ secret(32);
  const high = view.getBigUint64(length - 8, true) ^ secret(40) ^ secret(48);
  return avalanche(cut(BigInt(length) + swapBytes(low) + high + foldProduct(low, high)));
}

function mix16(view: DataView, at: number, secretAt: number): bigint {
  const low = view.getBigUint64(at, true) ^ secret(secretAt);
  const high = view.getBigUint64(at + 8, true) ^ secret(secretAt + 8);
  return foldProduct(low, high);
}

/** Hash of 17 to 128 bytes. */
function hashMiddle(view: DataView): bigint {
  const length = view.byteLength;
  let sum = cut(BigInt(length) * PRIME64_1);
  for (let index = (length - 1) >> 5; index >= 0; index -= 1) {
    sum += mix16(view, index * 16, index * 32);
    sum += mix16(view, length - 16 * (index + 1), index * 32 + 16);
  }
  return avalanche(cut(sum));
}

/** Hash of 129 to 240 bytes. */
function hashLong(view: DataView): bigint {
  const length = view.byteLength;
  let sum = cut(BigInt(length) * PRIME64_1);
  for (let index = 0; index < 8; index += 1) sum += mix16(view, index * 16, index * 16);
  sum = avalanche(cut(sum));
  for (let index = 8; index < length >> 4; index += 1) {
    sum += mix16(view, index * 16, (index - 8) * 16 + 3);
  }
  sum += mix16(view, length - 16, 136 - 17);
  return avalanche(cut(sum));
}

function accumulate(lanes: bigint[], view: DataView, at: number, secretAt: number): void {
  for (let lane = 0; lane < 8; lane += 1) {
    const value = view.getBigUint64(at + lane * 8, true);
    const keyed = value ^ secret(secretAt + lane * 8);
    const other = lane ^ 1;
    lanes[other] = cut((lanes[other] as bigint) + value);
    lanes[lane] = cut((lanes[lane] as bigint) + (keyed & MASK32) * (keyed >> 32n));
  }
}

function scramble(lanes: bigint[]): void {
  for (let lane = 0; lane < 8; lane += 1) {
    const value = lanes[lane] as bigint;
    const keyed = value ^ (value >> 47n) ^ secret(SECRET_BYTES - STRIPE_BYTES + lane * 8);
    lanes[lane] = cut(keyed * PRIME32_1);
  }
}

/** Hash of more than 240 bytes. */
function hashStripes(view: DataView): bigint {
  const length = view.byteLength;
  const lanes = [
    PRIME32_3,
    PRIME64_1,
    PRIME64_2,
    PRIME64_3,
    PRIME64_4,
    PRIME32_2,
    PRIME64_5,
    PRIME32_1,
  ];
  const stripes = Math.floor((length - 1) / STRIPE_BYTES);
  for (let stripe = 0; stripe < stripes; stripe += 1) {
    const step = stripe % STRIPES_PER_BLOCK;
    accumulate(lanes, view, stripe * STRIPE_BYTES, step * ACCUMULATE_STEP);
    if (step === STRIPES_PER_BLOCK - 1) scramble(lanes);
  }
  accumulate(lanes, view, length - STRIPE_BYTES, SECRET_BYTES - STRIPE_BYTES - 7);
  let hash = cut(BigInt(length) * PRIME64_1);
  for (let pair = 0; pair < 4; pair += 1) {
    const low = (lanes[pair * 2] as bigint) ^ secret(11 + pair * 16);
    const high = (lanes[pair * 2 + 1] as bigint) ^ secret(11 + pair * 16 + 8);
    hash += foldProduct(low, high);
  }
  return avalanche(cut(hash));
}

/** XXH3 of 64 bits with seed 0. */
export function xxh3(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length <= 16) return hashShort(view);
  if (bytes.length <= 128) return hashMiddle(view);
  return bytes.length <= 240 ? hashLong(view) : hashStripes(view);
}

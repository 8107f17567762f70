import type { SchemaField } from '@nervix/model';
import { shownName } from './shown-name.js';

/** Why a payload could not be decoded. */
export interface DecodeFailure {
  readonly message: string;
  /** The same for logs, when the message quotes what only the payload says. */
  readonly logged?: string;
  /** The field at fault, when the fault lies in one. */
  readonly field?: string;
}

/** Why a body of lines could not be decoded, and the line at fault, from 1. */
export interface LineFailure {
  readonly failure: DecodeFailure;
  readonly line: number;
}

/** Why a row could not be encoded. */
export interface EncodeFailure {
  readonly kind: 'encode_failure';
  readonly message: string;
  readonly field?: string;
}

/** The failures that codecs of all formats have in common. Texts never hold values. */
export class CodecFailures {
  readonly #codec: string;

  constructor(codec: string) {
    this.#codec = codec;
  }

  /** @param text what follows the codec's name */
  payload(text: string, field?: string): DecodeFailure {
    const message = `codec '${this.#codec}' ${text}`;
    return field === undefined ? { message } : { message, field };
  }

  /** A payload that is not of its format. */
  syntax(format: string, defect: string, at: number): DecodeFailure {
    const subject = `failed to parse ${format} payload for codec '${this.#codec}'`;
    return { message: `${subject}: ${defect} at byte ${at}` };
  }

  unexpectedField(name: string): DecodeFailure {
    const field = shownName(name);
    return {
      ...this.payload(`has unexpected field '${field}'`, field),
      logged: `codec '${this.#codec}' has an unexpected field`,
    };
  }

  missingField({ name }: SchemaField): DecodeFailure {
    return this.payload(`missing field '${name}'`, name);
  }

  field({ name }: SchemaField, reason: string): DecodeFailure {
    return this.payload(`failed to parse field '${name}': ${reason}`, name);
  }

  encode({ name }: SchemaField, reason: string): EncodeFailure {
    return {
      kind: 'encode_failure',
      message: `codec '${this.#codec}' failed to encode field '${name}': ${reason}`,
      field: name,
    };
  }

  nullAt(field: SchemaField, row: number): EncodeFailure {
    return this.encode(field, `required field is null at row ${row}`);
  }
}

/** Why a null does not fit. */
export const NULL_IN_REQUIRED = 'null is incompatible with required field';

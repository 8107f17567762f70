/** Sum of finite doubles with Neumaier's compensation, in order of addition. */
export class FloatSum {
  #sum = 0;
  #compensation = 0;

  add(value: number): void {
    const next = this.#sum + value;
    this.#compensation +=
      Math.abs(this.#sum) >= Math.abs(value) ? this.#sum - next + value : value - next + this.#sum;
    this.#sum = next;
  }

  /** The compensated sum; infinite or NaN when it left the range of doubles. */
  get value(): number {
    return this.#sum + this.#compensation;
  }

  reset(): void {
    this.#sum = 0;
    this.#compensation = 0;
  }
}

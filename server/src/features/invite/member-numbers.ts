const BITS = 8;

/** A set of an organisation's members. Uses one bit per member, compared to 20 bytes in a `Set`. */
export class MemberNumbers {
  #bits = new Uint8Array(1_024);

  /**
   * Adds a member.
   * @param number see `memberNumber`
   */
  add(number: number): void {
    const at = Math.floor(number / BITS);
    if (at >= this.#bits.length) this.#growBeyond(at);
    this.#bits[at] = (this.#bits[at] ?? 0) | (1 << (number % BITS));
  }

  has(number: number): boolean {
    return ((this.#bits[Math.floor(number / BITS)] ?? 0) & (1 << (number % BITS))) !== 0;
  }

  #growBeyond(at: number): void {
    const more = new Uint8Array(Math.max(2 * this.#bits.length, at + 1));
    more.set(this.#bits);
    this.#bits = more;
  }
}

/** Numbers of which the least is at hand: adding one and taking the least are O(log n). */
export class NumberHeap {
  /** A binary heap: the parent of the place `at` is at `(at - 1) >> 1`, and is never greater. */
  private readonly numbers: number[] = [];

  get count(): number {
    return this.numbers.length;
  }

  /** The least number; `null` if there is none. */
  get least(): number | null {
    return this.numbers[0] ?? null;
  }

  add(number: number): void {
    const { numbers } = this;
    let at = numbers.length;
    numbers.push(number);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (numbers[parent]! <= number) break;
      numbers[at] = numbers[parent]!;
      at = parent;
    }
    numbers[at] = number;
  }

  /** Removes the least number, if there is any. */
  removeLeast(): void {
    const { numbers } = this;
    const last = numbers.pop();
    if (last === undefined || numbers.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= numbers.length) break;
      if (child + 1 < numbers.length && numbers[child + 1]! < numbers[child]!) child += 1;
      if (numbers[child]! >= last) break;
      numbers[at] = numbers[child]!;
      at = child;
    }
    numbers[at] = last;
  }
}

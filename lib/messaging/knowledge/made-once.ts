/** Lets those who need the same thing at the same time wait for the one who makes it. */
export class MadeOnce<Value> {
  readonly #making = new Map<string, Promise<Value>>();

  async get(name: string, make: () => Promise<Value>): Promise<Value> {
    // Whoever makes it may have had less time left than we have.
    const others = await this.#making.get(name)?.catch(() => undefined);
    if (others !== undefined) return others;
    const making = make();
    this.#making.set(name, making);
    try {
      return await making;
    } finally {
      if (this.#making.get(name) === making) this.#making.delete(name);
    }
  }
}

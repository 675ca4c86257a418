/** Single flight: callers that need the same value at the same time share one call that makes it. */
export class SingleFlight<Value> {
  readonly #making = new Map<string, Promise<Value>>();

  async get(name: string, make: () => Promise<Value>): Promise<Value> {
    const others = this.#making.get(name);
    // The shared call may fail because its caller had less time left than this one.
    const value = others && (await others.catch(() => undefined));
    if (value !== undefined) return value;
    const making = make();
    this.#making.set(name, making);
    try {
      return await making;
    } finally {
      if (this.#making.get(name) === making) this.#making.delete(name);
    }
  }
}

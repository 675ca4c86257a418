/** Single flight: callers that need the same value at the same time share one call that makes it. */
export class SingleFlight<Value> {
  readonly #making = new Map<string, Promise<Value>>();

  async get(name: string, make: () => Promise<Value>): Promise<Value> {
    // The shared call may fail because its caller had less time left than this one.
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

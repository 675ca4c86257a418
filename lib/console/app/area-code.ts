import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

interface AreaModule<Props> {
  readonly Area: ComponentType<Props>;
}

/** There is no connection, or a newer version of the console has been deployed. */
export class AreaNotLoaded extends Error {
  override readonly name = 'AreaNotLoaded';
  /** Makes the next attempt reload the code. */
  readonly forget: () => void;

  constructor(forget: () => void, options: ErrorOptions) {
    super('The code of the area could not be loaded.', options);
    this.forget = forget;
  }
}

/** The code of an area, loaded when it is first drawn. A failure is cached until `forget`. */
export function areaCode<Props = object>(
  load: () => Promise<AreaModule<Props>>,
): () => LazyExoticComponent<ComponentType<Props>> {
  const begin = () =>
    lazy(async () => {
      const { Area } = await load().catch((cause: unknown) => {
        throw new AreaNotLoaded(forget, { cause });
      });
      return { default: Area };
    });
  let current = begin();
  const forget = () => {
    current = begin();
  };
  return () => current;
}

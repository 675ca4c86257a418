import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

/**
 * Jest's Node environment, with a plain global object. Jest's own global object is a proxy, and every use of a global
 * name passes through it.
 */
export default class PlainEnvironment extends TestEnvironment {
  constructor(...given: ConstructorParameters<typeof TestEnvironment>) {
    const { createContext } = vm;
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(...given);
    } finally {
      vm.createContext = createContext;
    }
  }
}

// Each test file loads the product and its dependencies anew. The files of a worker share V8's compiled code, so that
// the worker compiles each source one time. The cache ends with the worker.
const compiled = new Map<string, Buffer | undefined>();

const { SourceTextModule, compileFunction } = vm;

/** Node's types lack the method. */
interface Compiled {
  createCachedData(): Buffer;
}

vm.SourceTextModule = class extends SourceTextModule {
  constructor(code: string, options?: vm.SourceTextModuleOptions) {
    const cachedData = compiled.get(code);
    super(code, cachedData ? { ...options, cachedData } : options);
    if (!cachedData) compiled.set(code, (this as unknown as Compiled).createCachedData());
  }
};

vm.compileFunction = (code, params, options) => {
  const key = `${params} ${code}`;
  const cachedData = compiled.get(key);
  const result = compileFunction(code, params, { ...options, cachedData, produceCachedData: !cachedData });
  if (!cachedData) compiled.set(key, result.cachedData);
  return result;
};

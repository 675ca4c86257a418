import { describe } from '@jest/globals';
import { faultsOf, itFailsEveryCall, itFailsEveryWrite } from './every-fault.ts';

// The kinds of faults that faults.test.ts tries with some routes only.

describe('a table that fails every call', () => itFailsEveryCall(faultsOf('long')));

describe('a table that fails only writes', () => itFailsEveryWrite(faultsOf('long')));

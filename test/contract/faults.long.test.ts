import { beforeAll, describe } from '@jest/globals';
import {
  bucketFaults,
  forgetLook,
  itFailsEveryCall,
  itFailsEveryWrite,
  itFailsTheBucket,
  itForgivesUnrecordedUses,
  itStoresOneTime,
  tableFaults,
} from './every-fault.ts';

// All faults on all routes. The first one, with which a table throttles, is left out: faults.test.ts tries it on all.

describe('a table that fails every call', () => itFailsEveryCall(tableFaults.slice(1)));

describe('a table that fails only writes', () => {
  itFailsEveryWrite(tableFaults.slice(1));
  itStoresOneTime();
});

describe('a bucket that fails', () => {
  beforeAll(forgetLook);
  itFailsTheBucket(bucketFaults);
});

itForgivesUnrecordedUses(tableFaults);

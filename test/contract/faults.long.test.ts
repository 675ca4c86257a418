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

// All faults on all routes. faults.test.ts tries one on all routes, and all of them on some routes.

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

import { installWorkedTime } from './worked-time.ts';

// Preloaded by processes of the tests, which a busy machine does not rush either.
installWorkedTime();

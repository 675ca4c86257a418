import { installWorkedTime } from './worked-time.ts';

// Preloaded into processes of the tests, so that their deadlines allow for a busy machine.
installWorkedTime();

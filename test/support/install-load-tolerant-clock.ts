import { installLoadTolerantClock } from './load-tolerant-clock.ts';

// Preloaded into processes of the tests, so that their deadlines allow for a busy machine.
installLoadTolerantClock();

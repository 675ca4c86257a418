import fc from 'fast-check';

// Every run uses the same seed, so that only a change can cause a failure. Another seed generates other values.
fc.configureGlobal({ seed: Number(process.env['FUZZ_SEED'] ?? 1) });

export { fc };

import fc from 'fast-check';

// Every run draws the same values, so that a failure is one of the change. Another seed draws others.
fc.configureGlobal({ seed: Number(process.env['FUZZ_SEED'] ?? 1) });

export { fc };

/**
 * Replaces zod's 64 files of messages in other languages, which the service does not use. Otherwise each test file
 * would load them.
 */
export {};

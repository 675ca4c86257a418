/**
 * Takes the place of zod's 64 files of messages in other languages, which the service does not use. Each test file
 * would load them anew.
 */
export {};

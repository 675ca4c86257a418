/** The length of the longest number. */
export const phoneCharactersMax = 30;

/** True for 5 to 30 digits, spaces and `+ - ( )` (lib/spec/decisions.md section 3). */
export const isPhoneNumber = (text: string): boolean => /^[0-9 +()-]{5,30}$/.test(text);

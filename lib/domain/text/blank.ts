/** NUL is none of them: it is refused in every text. */
const visible = /[^\s\p{Default_Ignorable_Code_Point}\p{Cc}]|\0/u;

/** True for a text that shows nothing (lib/spec/additions.md section 9, "Blank texts"). */
export const isBlank = (text: string): boolean => !visible.test(text);

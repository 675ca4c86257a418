/** Downloads a file that the browser has made. */
export function saveFile(name: string, type: string, parts: readonly string[]): void {
  const address = URL.createObjectURL(new Blob([...parts], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // By this time, the browser has begun to read the file.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

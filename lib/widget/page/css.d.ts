declare module '*.css' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: this is how the bundler gives a text.
  export default text;
}

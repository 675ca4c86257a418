declare module '*.css' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: the bundler exports texts in this way.
  export default text;
}

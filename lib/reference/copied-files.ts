/** What of the renderer the page needs; the bundler copies these. */
export const copiedFiles = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;

/** The names of the files that the page itself loads. */
interface Loaded {
  readonly script: string;
  readonly styles: string;
}

/** The page, which is empty until its script has run. URLs are relative, because the page may have any path. */
export const consoleHtml = ({ script, styles }: Loaded): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Console</title>
<link rel="icon" href="data:,">
<link rel="license" href="console/notices.txt">
<link rel="stylesheet" href="console/${styles}">
<script type="module" src="console/${script}"></script>
</head>
<body>
<div id="console"></div>
<noscript>The console needs JavaScript.</noscript>
</body>
</html>
`;

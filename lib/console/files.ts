import { createHash } from 'node:crypto';
import { builtFile } from '#lib/bundle/built-files.ts';
import type { PublicFile } from '#lib/http/public-api.ts';

/** The names of files that are built: scripts, the style sheet, and the licences of libraries. */
const builtName = /^(?:[a-z][a-z-]{0,40}-[A-Z0-9]{8}\.(?<hashed>js|css)|notices\.txt)$/;

const contentTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/**
 * A file that the page of the console loads or links to. A name with a hash changes with its content, so it may be cached
 * forever.
 */
export async function consoleFile(name: string): Promise<PublicFile> {
  const match = builtName.exec(name);
  const content = match ? await builtFile(`console+${name}`) : undefined;
  const contentType = contentTypes[match?.groups?.['hashed'] ?? ''];
  return contentType
    ? { contentType, content, headers: { 'cache-control': 'public, max-age=31536000, immutable' } }
    : { contentType: 'text/plain; charset=utf-8', content, headers: { 'cache-control': 'public, max-age=3600' } };
}

/** The style element that React Aria adds for touch screens. A test compares it with the library. */
export const pressStyle = `
@layer {
  [data-react-aria-pressable] {
    touch-action: pan-x pan-y pinch-zoom;
  }
}
    `.trim();

const pressStyleHash = createHash('sha256').update(pressStyle).digest('base64');

/** Where browsers send files that they upload to the bucket. */
function bucketOrigin(): string | undefined {
  const { AWS_ENDPOINT_URL_S3: endpoint, FILES_BUCKET: bucket, AWS_REGION: region } = process.env;
  if (bucket === undefined) return undefined;
  // The host name of an AWS bucket contains its name. The URL of the embedded bucket has it in the path.
  return endpoint === undefined ? `https://${bucket}.s3.${region}.amazonaws.com` : new URL(endpoint).origin;
}

/** lib/spec/additions.md section 7 */
const policy = (bucket = bucketOrigin()): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'sha256-${pressStyleHash}'`,
    ["img-src 'self' data: blob:", bucket].filter(Boolean).join(' '),
    ["connect-src 'self'", bucket].filter(Boolean).join(' '),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** The page of the console. Browsers revalidate it on every request. */
export const consolePage = async (): Promise<PublicFile> => ({
  contentType: 'text/html; charset=utf-8',
  content: await builtFile('console+console.html'),
  headers: {
    'cache-control': 'no-cache',
    'content-security-policy': policy(),
    'referrer-policy': 'no-referrer',
  },
});

import type { PublicFile } from '#lib/http/public-api.ts';
import { widgetText } from './served-widget.ts';

/** The script that every website may load. */
export const widgetFile: PublicFile = {
  contentType: 'text/javascript; charset=utf-8',
  content: widgetText,
  headers: { 'cache-control': 'public, max-age=3600', 'cross-origin-resource-policy': 'cross-origin' },
};

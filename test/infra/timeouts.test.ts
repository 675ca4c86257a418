import { describe, expect, it } from '@jest/globals';
import { announcedFile, leftImage } from '#functions/attachments-sweep/handler.ts';
import { longLog } from '#functions/collections-compact/handler.ts';
import { mailWork } from '#functions/form-response-deliver/handler.ts';
import { removedConversation } from '#functions/records-expire/handler.ts';
import { scheduledChange } from '#functions/schedules-apply/handler.ts';
import { searchMilliseconds } from '#functions/webhooks-deliver/handler.ts';
import { storeMilliseconds as inviteStores } from '#lib/access/invite-member.ts';
import { stallMilliseconds as modelStalls } from '#lib/ai/model-call.ts';
import * as files from '#lib/attachments/stored-files.ts';
import { tableMilliseconds as uploadStores } from '#lib/attachments/upload-request.ts';
import { stepMilliseconds } from '#lib/due/due-worker.ts';
import { stallMilliseconds as bucketStalls } from '#lib/files/read-file.ts';
import { milliseconds as removeCall } from '#lib/files/remove-file.ts';
import { bytesMilliseconds, discardMilliseconds } from '#lib/files/write-file.ts';
import { answerMilliseconds, deadlineMilliseconds as requestReads } from '#lib/http/open-table.ts';
import { millisecondsMax as inviteAsks } from '#lib/invitations/invite.ts';
import { beginMilliseconds } from '#lib/manage/changes.ts';
import { schemaMilliseconds } from '#lib/manage/schema-rules.ts';
import { commitMilliseconds } from '#lib/messaging/produce-reply.ts';
import { replyMillisecondsMax, reserveMilliseconds, silenceMillisecondsMax } from '#lib/messaging/stream-reply.ts';
import { deadlineMilliseconds as readsSecret } from '#lib/secrets/read-secret.ts';

import { exchangeMillisecondsMax as issuerAnswers } from '#lib/session/exchange-code.ts';
import { webhookAttempt } from '#lib/webhooks/attempt.ts';
import { eraseMilliseconds } from '../../functions/manage-delete/handler.ts';
import { publishMilliseconds } from '../../functions/media-confirm/handler.ts';
import { lookMilliseconds, removeMilliseconds } from '../../functions/media-delete/handler.ts';
import { storeMilliseconds as sessionStores } from '../../functions/session-callback/handler.ts';
import { countMilliseconds } from '../../functions/webhook-replay/handler.ts';
import { declared, functionsByName, type Resource, resourcesOf, synthesize } from './synthesize.ts';

const service = await synthesize(declared);

/** Reads the origin secret, again after a rotation. Then come the key, the permissions and the reads of the request. */
const beforeWork = [readsSecret, readsSecret, requestReads];
const writesSchema = [schemaMilliseconds];

/** The sequential steps of a function after the reads of a request, with their time limits. */
const worksFor: Readonly<Record<string, readonly number[]>> = {
  'access-member-invite': [inviteAsks, inviteStores],
  'ai-reply-stream': [replyMillisecondsMax, reserveMilliseconds],
  'asset-download': [bucketStalls, bucketStalls],
  'attachments-announce': [uploadStores],
  // The files of an event together. The bucket is silent for a shorter time, or every byte is slow.
  'attachments-upload': [
    files.storeMilliseconds,
    bytesMilliseconds,
    files.storeMilliseconds,
    files.giveUpMilliseconds,
    discardMilliseconds,
    files.forgetMilliseconds,
  ],
  'manage-changes': [beginMilliseconds, ...writesSchema],
  'manage-delete': [eraseMilliseconds],
  'manage-restore': writesSchema,
  'media-announce': [uploadStores],
  // The first byte, and a pause among the others.
  'media-confirm': [bucketStalls, bucketStalls, publishMilliseconds],
  'media-delete': [lookMilliseconds, removeMilliseconds],
  'media-download': [bucketStalls, bucketStalls],
  'media-upload': [uploadStores, uploadStores, bytesMilliseconds, uploadStores],
  'schema-create': writesSchema,
  'schema-delete': writesSchema,
  'schema-replace': writesSchema,
  'schema-update': writesSchema,
  'session-callback': [issuerAnswers, sessionStores],
  'webhook-replay': [countMilliseconds],
};

/** The longest step of a background function, which starts it only while there is enough time. */
const pieceOf: Readonly<Record<string, number>> = {
  'attachments-sweep': Math.max(stepMilliseconds(announcedFile), stepMilliseconds(leftImage)),
  'collections-compact': stepMilliseconds(longLog),
  'form-response-deliver': stepMilliseconds(mailWork),
  'records-expire': stepMilliseconds(removedConversation),
  'schedules-apply': stepMilliseconds(scheduledChange),
  // It looks for new events before.
  'webhooks-deliver': searchMilliseconds + stepMilliseconds(webhookAttempt),
};

const timeoutOf = (name: string): number =>
  Number(functionsByName(service).get(name)?.fn.Properties['Timeout']) * 1_000;
const sum = (parts: readonly number[]): number => parts.reduce((total, part) => total + part, 0);

describe('The time of a function', () => {
  it.each([...declared.endpoints.map(({ name }) => name), 'route-unknown'])(
    'holds all that %s waits for, and its answer',
    (name) => {
      const needed = sum([...beforeWork, ...(worksFor[name] ?? []), answerMilliseconds]);
      expect(timeoutOf(name)).toBeGreaterThanOrEqual(needed);
    },
  );

  it('is listed here for every function that waits for more than the table', () => {
    const others = /^(?:files:(?!link)|model:|identity:(?:sign-in|invite)|mail:)/;
    const waiting = declared.endpoints.filter(
      ({ endpoint }) => endpoint.lambda?.timeoutSeconds !== undefined || endpoint.uses.some((use) => others.test(use)),
    );
    const unknown = waiting.map(({ name }) => name).filter((name) => !(name in worksFor));
    // The first use the bucket within the time of their reads. The others only name the issuer's addresses.
    const managing = ['create', 'get', 'list', 'replace', 'update'].map((verb) => `manage-${verb}`);
    const withinReads = ['cms-entry-update', 'form-submit', ...managing, 'message-send'];
    const naming = ['public-files', 'session-end', 'session-login'];
    expect(unknown.sort()).toEqual([...withinReads, ...naming].sort());
    expect(Object.keys(pieceOf).sort()).toEqual(declared.triggers.map(({ name }) => name).sort());
  });

  it.each(Object.entries(pieceOf))('holds a piece of work of %s', (name, piece) => {
    expect(timeoutOf(name)).toBeGreaterThan(piece + 1_000);
  });

  it('allows a sweep to remove a file with one broken upload, and a reply to store its text', () => {
    expect(announcedFile.neededMilliseconds).toBeGreaterThanOrEqual(3 * removeCall);
    expect(reserveMilliseconds).toBeGreaterThanOrEqual(commitMilliseconds + answerMilliseconds);
    expect(replyMillisecondsMax).toBeGreaterThan(modelStalls);
  });
});

describe('CloudFront waits for the next piece of an answer', () => {
  const [[, { Properties }]] = resourcesOf(service, 'AWS::CloudFront::Distribution') as [[string, Resource]];
  const { Origins } = Properties['DistributionConfig'] as {
    Origins: { CustomOriginConfig: { OriginReadTimeout: number } }[];
  };
  const patience = Origins.map(({ CustomOriginConfig }) => CustomOriginConfig.OriginReadTimeout * 1_000);

  it('longer than the gateway, a bucket that stalls, and the silence of a reply', () => {
    expect(patience.length).toBeGreaterThan(1);
    for (const milliseconds of patience) {
      expect(milliseconds).toBeGreaterThan(30_000);
      expect(milliseconds).toBeGreaterThan(2 * silenceMillisecondsMax);
      expect(milliseconds).toBeGreaterThan(sum([...beforeWork, bucketStalls]));
    }
  });
});

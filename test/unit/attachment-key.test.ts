import { describe, expect, it } from '@jest/globals';
import { asciiNameOf } from '#lib/domain/files/file-name.ts';
import { isAttachmentKey, isKeyOfWorkspace } from '#lib/domain/messaging/attachment.ts';
import { assetUrl, attachmentKey, idInKey, timeOfAttachment } from '#lib/domain/messaging/attachment-key.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { timedId } from '#lib/domain/text/timed-id.ts';

const random = '0123456789abcdef01234567';

describe('the key of an attachment', () => {
  const id = timedId('att');
  const key = attachmentKey({
    workspaceId: 'ws_1',
    id,
    asciiName: asciiNameOf('قائمة 1.pdf'),
    createdAt: '2026-11-21T10:00:00.000Z',
  });

  it('contains workspace, month, id and the ASCII characters of the name', () => {
    expect(key).toBe(`workspaces/ws_1/drive/messaging/2026-11/${id}/1.pdf`);
    expect({ isKey: isAttachmentKey(key), isOurs: isKeyOfWorkspace(key, 'ws_1'), id: idInKey(key) }).toEqual({
      isKey: true,
      isOurs: true,
      id,
    });
  });

  it.each([
    'workspaces/ws_1/drive/messaging/a.pdf',
    'workspaces/ws_1/drive/messaging/2026-11/a.pdf',
    'workspaces/ws_1/drive/messaging/2026-11/x/y/a.pdf',
    '',
  ])('%j of another form tells no id', (other) => {
    expect(idInKey(other)).toBeUndefined();
  });

  it.each(['', 'a', `workspaces/ws_1/drive/messaging/${'a'.repeat(1_000)}`, 'workspaces/ws_1/drive/messaging/..'])(
    '%j is none',
    (text) => {
      expect(isAttachmentKey(text)).toBe(false);
    },
  );

  it('is in the address, segment by segment', () => {
    expect(assetUrl('https://files.example', 'workspaces/w/a b/ç')).toBe(
      'https://files.example/api/v1/connect/assets/workspaces/w/a%20b/%C3%A7',
    );
  });
});

describe('the id of an attachment', () => {
  it.each([0, 1, Date.parse('2026-11-21T10:00:00.000Z'), Date.parse('4026-01-01T00:00:00.000Z')])(
    'made at %d tells when',
    (time) => {
      const id = timedId('att', time);
      expect({ time: timeOfAttachment(id), isId: isRecordId(id) }).toEqual({ time, isId: true });
    },
  );

  it.each(['', 'att_1', `att_000000000${random}0`, `att_00000000Z${random}`, `x${timedId('att', 1)}`])(
    '%j tells no time, since it was not made here',
    (id) => {
      expect(timeOfAttachment(id)).toBeUndefined();
    },
  );
});

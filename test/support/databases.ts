import { openWorkspace } from './workspace.ts';

export const text = { key: 'title', name: { en: 'Title' }, type: 'text', localized: true };
export const notes = { id: 'notes', name: { en: 'Notes' }, fields: [text] };

/** A workspace with a database of one entry, `notes`, and a database without entries, `empty`. */
export const openDatabases = () =>
  openWorkspace('records', (document) => {
    document.cms = {
      models: [notes, { id: 'empty', name: { en: 'Empty' }, fields: [] }],
      entries: [{ id: 'note_1', modelId: 'notes', values: { title: { en: 'One' } } }],
    };
  });

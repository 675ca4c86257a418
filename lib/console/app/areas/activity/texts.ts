import { kindLabels } from '#lib/kinds/kind-labels.ts';
import { catalogue, type Language } from '../../texts/catalogue.ts';

export const activityTexts = catalogue(
  {
    intro: 'Who changed what, and who signed in. Values are not kept here.',
    when: 'Time',
    who: 'Who',
    what: 'Action',
    record: 'Record',
    changed: 'Changed',
    kind: 'Kind',
    anyKind: 'Any kind',
    recordId: 'Id of the record',
    anyone: 'Anyone',
    anyAction: 'Any action',
    since: 'From',
    until: 'To',
    clearFilters: 'Clear filters',
    events: 'Activity',
    moreChanged: '{count} more',
    byKey: 'API key',
    byMember: 'Member',
    byOperator: 'Operator',
    bySchedule: 'Schedule',
    create: 'Created',
    update: 'Changed',
    delete: 'Deleted',
    restore: 'Restored',
    rotate: 'New secret',
    import: 'Imported',
    invite: 'Invited',
    signIn: 'Signed in',
  },
  {
    intro: 'من غيّر وماذا غيّر، ومن سجّل الدخول. لا تُحفظ القيم هنا.',
    when: 'الوقت',
    who: 'بواسطة',
    what: 'الإجراء',
    record: 'السجل',
    changed: 'ما تغيّر',
    kind: 'النوع',
    anyKind: 'كل الأنواع',
    recordId: 'معرّف السجل',
    anyone: 'الجميع',
    anyAction: 'كل الإجراءات',
    since: 'من تاريخ',
    until: 'إلى تاريخ',
    clearFilters: 'مسح عوامل التصفية',
    events: 'النشاط',
    moreChanged: 'وغيرها: {count}',
    byKey: 'مفتاح API',
    byMember: 'عضو',
    byOperator: 'المشغّل',
    bySchedule: 'الجدولة',
    create: 'إنشاء',
    update: 'تعديل',
    delete: 'حذف',
    restore: 'استعادة',
    rotate: 'سر جديد',
    import: 'استيراد',
    invite: 'دعوة',
    signIn: 'تسجيل دخول',
  },
);

const labelsIn = (language: Language): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(kindLabels).map(([kind, label]) => [kind, label[language]]));

/** The names of the kinds of records in events: those of management, and two with calls of their own. */
export const kindTexts = {
  en: { ...labelsIn('en'), conversations: 'Conversation', media: 'Picture' },
  ar: { ...labelsIn('ar'), conversations: 'محادثة', media: 'صورة' },
};

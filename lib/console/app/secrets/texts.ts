import { catalogue } from '../texts/catalogue.ts';

/** The words of secrets that are shown once: those of API keys and webhooks. */
export const secretTexts = catalogue(
  {
    secretTitle: 'Copy the secret now',
    secretWarning:
      'This is the only time that the secret is shown. Keep it where only the people who need it can see it.',
    secretOf: 'Secret of {name}',
    secretLost: 'It is stored, but its secret could not be shown. Rotate it to get a new one.',
    copy: 'Copy',
    copied: 'Copied.',
    copyFailed: 'It could not be copied. Select the text and copy it yourself.',
    secretStored: 'I have stored it',
    rotate: 'Rotate',
    rotateTitle: 'Give “{name}” a new secret?',
    rotateText: 'The new secret is shown one time, and this is final. Choose how long the old one goes on working.',
    rotateGrace: 'The old secret works',
    graceNone: 'No longer',
    graceHour: 'For an hour',
    graceDay: 'For a day',
    graceWeek: 'For a week',
  },
  {
    secretTitle: 'انسخ السر الآن',
    secretWarning: 'لن يظهر السر مرة أخرى. احفظه حيث لا يراه إلا من يحتاج إليه.',
    secretOf: 'سر {name}',
    secretLost: 'تم الحفظ، لكن تعذّر عرض السر. بدّل السر للحصول على سر جديد.',
    copy: 'نسخ',
    copied: 'تم النسخ.',
    copyFailed: 'تعذّر النسخ. حدّد النص وانسخه بنفسك.',
    secretStored: 'لقد حفظته',
    rotate: 'تبديل السر',
    rotateTitle: 'منح «{name}» سرًا جديدًا؟',
    rotateText: 'يظهر السر الجديد مرة واحدة، ولا تراجع عن هذا. اختر كم يبقى السر القديم صالحًا.',
    rotateGrace: 'السر القديم صالح',
    graceNone: 'يتوقف فورًا',
    graceHour: 'لمدة ساعة',
    graceDay: 'لمدة يوم',
    graceWeek: 'لمدة أسبوع',
  },
);

import { catalogue } from '../texts/catalogue.ts';

export const scheduleTexts = catalogue(
  {
    publishing: 'Publishing',
    publishAt: 'Goes live at',
    unpublishAt: 'Ends at',
    scheduled: 'Scheduled',
    goesLive: 'Goes live {time}',
    ends: 'Ends {time}',
    inZone: '{time}, time zone: {zone}',
    noTime: 'Empty for no such time. Time zone: {zone}',
  },
  {
    publishing: 'النشر',
    publishAt: 'يُنشر في',
    unpublishAt: 'ينتهي في',
    scheduled: 'مجدول',
    goesLive: 'يُنشر {time}',
    ends: 'ينتهي {time}',
    inZone: '{time}، المنطقة الزمنية: {zone}',
    noTime: 'اتركه فارغًا إن لم يكن له وقت. المنطقة الزمنية: {zone}',
  },
);

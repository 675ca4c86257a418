import { scheduleTexts } from '../../../schedule/texts.ts';
import { catalogue } from '../../../texts/catalogue.ts';

export const calendarTexts = catalogue(
  {
    ...scheduleTexts.en,
    intro: 'What goes live and what ends, in the time zone {zone}.',
    nothing: 'Nothing is planned. Set a time beside “Published” of an entry or a product.',
    notAll: 'Only the newest {count} records of each list were looked through.',
    live: 'Goes live',
    end: 'Ends',
  },
  {
    ...scheduleTexts.ar,
    intro: 'ما يُنشر وما ينتهي، بتوقيت المنطقة الزمنية {zone}.',
    nothing: 'لا شيء مجدول. حدّد وقتًا بجانب «منشور» في عنصر أو منتج.',
    notAll: 'بُحث في أحدث السجلات فقط في كل قائمة، وعددها {count}.',
    live: 'يُنشر',
    end: 'ينتهي',
  },
);

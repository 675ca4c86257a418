import { catalogue } from '../texts/catalogue.ts';

export const relationTexts = catalogue(
  {
    choose: 'Choose',
    chooseFor: 'Choose: {name}',
    noTarget: 'Nothing is chosen.',
    targetNotFound: 'Not found',
    notAllowedTargets: 'You may not read these records.',
    searchTargets: 'Search records',
    chosen: 'Chosen',
    done: 'Done',
    draft: 'Draft',
  },
  {
    choose: 'اختيار',
    chooseFor: 'اختيار: {name}',
    noTarget: 'لم يتم اختيار شيء.',
    targetNotFound: 'غير موجود',
    notAllowedTargets: 'لا يمكنك قراءة هذه السجلات.',
    searchTargets: 'البحث في السجلات',
    chosen: 'مختار',
    done: 'تم',
    draft: 'مسودة',
  },
);

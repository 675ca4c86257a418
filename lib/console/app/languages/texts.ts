import { catalogue } from '../texts/catalogue.ts';

export const languageTexts = catalogue(
  {
    choose: 'Choose a language',
    search: 'Search by name or code',
    usual: 'Languages of the workspace',
    all: 'All languages',
    found: 'Matches',
    noMatch: 'No language has this name. A code such as en or en-GB can be entered here, too.',
  },
  {
    choose: 'اختر لغة',
    search: 'البحث بالاسم أو الرمز',
    usual: 'لغات مساحة العمل',
    all: 'كل اللغات',
    found: 'النتائج',
    noMatch: 'لا توجد لغة بهذا الاسم. يمكن هنا أيضًا كتابة رمز مثل en أو en-GB.',
  },
);

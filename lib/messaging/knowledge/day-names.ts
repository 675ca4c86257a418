interface DayNames {
  /** The days from Sunday on. */
  readonly names: readonly string[];
  readonly to: string;
  readonly comma: string;
  readonly semicolon: string;
  readonly every: string;
  readonly closed: string;
}

const english: DayNames = {
  names: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  to: ' to ',
  comma: ', ',
  semicolon: '; ',
  every: 'every day',
  closed: 'closed',
};

const arabic: DayNames = {
  names: ['الأحد', 'الاثنين', 'الثلاثاء', 'الأربعاء', 'الخميس', 'الجمعة', 'السبت'],
  to: ' إلى ',
  comma: '، ',
  semicolon: '؛ ',
  every: 'كل يوم',
  closed: 'مغلق',
};

/** The words for opening hours in a language, by default English. */
export const dayNames = (language: string): DayNames => (/^ar\b/.test(language) ? arabic : english);

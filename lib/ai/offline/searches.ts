import { stemsOf } from '../retrieval/words.ts';
import { placeQueries } from './place-answer.ts';
import { isAboutProducts, labelledOf, placeOf, type Question, searchedOf, subjectOf, thingsIn } from './question.ts';
import { topicQuery } from './topic-answer.ts';

/** A look-up that is wanted, as a tool takes it. */
export interface Wanted {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export const menuSearch = (query: string, { diet, prices }: Partial<Question>, category?: string): Wanted => ({
  name: 'search_menu',
  input: { query, diet, ...prices, category },
});
export const soldOutSearch: Wanted = { name: 'search_menu', input: { query: '', soldOut: true } };
export const categorySearch = (query: string): Wanted => ({ name: 'list_categories', input: { query } });
export const entrySearch = (query: string): Wanted => ({ name: 'search_cms', input: { query } });
export const databaseList = (model: string): Wanted => ({ name: 'search_cms', input: { query: '', model } });
export const formSearch = (query: string): Wanted => ({ name: 'get_form', input: { query } });

/** All that is named together, and, where it is several things, each of them. */
export function menuSearches(question: Question): Wanted[] {
  const filter = question.isOfLabels ? {} : question;
  const subjects = [searchedOf(question), ...(question.isOfLabels ? [labelledOf(question)] : thingsIn(question))];
  return [...new Set(subjects)].map((subject) => menuSearch(subject, filter));
}

export const placeSearches = (question: Question): Wanted[] => [
  ...placeQueries(question).map(entrySearch),
  ...(stemsOf(placeOf(question)).length > 0 ? [categorySearch(placeOf(question))] : []),
  ...(isAboutProducts(question) ? [menuSearch(subjectOf(question), question)] : []),
];

export const topicSearches = (question: Question): Wanted[] => [
  ...[...new Set([question.query, topicQuery(question)])].map(entrySearch),
  formSearch(question.query),
  menuSearch(subjectOf(question), question),
];

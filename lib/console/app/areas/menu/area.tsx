import { useTexts } from '../../texts/use-texts.tsx';

export function Area() {
  const t = useTexts();
  return <h1>{t.menu}</h1>;
}

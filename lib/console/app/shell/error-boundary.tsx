import { Component, type ReactNode } from 'react';
import { useTexts } from '../texts/use-texts.tsx';

interface Props {
  readonly children: ReactNode;
}

/** Shows a way on when a screen fails to draw. Unsent text is kept in the browser meanwhile. */
export class ErrorBoundary extends Component<Props, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? <Crashed /> : this.props.children;
  }
}

function Crashed() {
  const t = useTexts();
  return (
    <main className="state" role="alert">
      <h1>{t.crashed}</h1>
      <p>{t.crashedHint}</p>
      <button type="button" className="button primary" onClick={() => location.reload()}>
        {t.reload}
      </button>
    </main>
  );
}

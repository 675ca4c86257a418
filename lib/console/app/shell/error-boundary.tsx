import { Component, type ReactNode, useEffect } from 'react';
import { AreaNotLoaded } from '../area-code.ts';
import { useTexts } from '../texts/use-texts.tsx';

interface Props {
  /** True if the boundary surrounds the whole page. */
  readonly isPage?: boolean;
  readonly children: ReactNode;
}

interface State {
  readonly failure: { readonly error: unknown } | undefined;
}

/** Offers a reload when a screen fails to render, or cannot be loaded. Drafts stay in the browser. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failure: undefined };

  static getDerivedStateFromError(error: unknown): State {
    return { failure: { error } };
  }

  override render() {
    const { failure } = this.state;
    if (!failure) return this.props.children;
    const { error } = failure;
    const shown = error instanceof AreaNotLoaded ? <NotLoaded retry={() => this.#retry(error)} /> : <Crashed />;
    return this.props.isPage ? <main>{shown}</main> : shown;
  }

  #retry(error: AreaNotLoaded): void {
    error.forget();
    this.setState({ failure: undefined });
  }
}

function NotLoaded({ retry }: { readonly retry: () => void }) {
  const t = useTexts();
  useEffect(() => {
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [retry]);
  return (
    <div className="state" role="alert">
      <h1>{t.failed}</h1>
      <p>{t.offline}</p>
      <p className="hint">{t.notLoadedHint}</p>
      <div className="row">
        <button type="button" className="button primary" onClick={retry}>
          {t.retry}
        </button>
        <button type="button" className="button" onClick={() => location.reload()}>
          {t.reload}
        </button>
      </div>
    </div>
  );
}

function Crashed() {
  const t = useTexts();
  return (
    <div className="state" role="alert">
      <h1>{t.crashed}</h1>
      <p>{t.crashedHint}</p>
      <button type="button" className="button primary" onClick={() => location.reload()}>
        {t.reload}
      </button>
    </div>
  );
}

import type { ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';

interface Props {
  readonly title: string;
  readonly isOpen: boolean;
  readonly close: () => void;
  readonly children: ReactNode;
  /** True for a question that must be answered. */
  readonly isAlert?: boolean;
  readonly isWide?: boolean;
}

/** A dialog over the screen. Escape closes it; the focus stays inside and returns afterwards. */
export function Dialog({ title, isOpen, close, children, isAlert, isWide }: Props) {
  return (
    <ModalOverlay
      className="backdrop"
      isOpen={isOpen}
      onOpenChange={(open) => !open && close()}
      isDismissable={!isAlert}
    >
      <Modal className={`modal ${isWide ? 'wide' : ''}`}>
        <AriaDialog className="dialog" role={isAlert ? 'alertdialog' : 'dialog'}>
          <Heading slot="title">{title}</Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

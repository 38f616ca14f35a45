// The interface of a view.

export interface View {
  readonly element: HTMLElement;
  /** Called when it is shown. */
  shown?(): void;
  /** Handles a key that nothing else handled; returns whether it did. */
  key?(event: KeyboardEvent): boolean;
  /** Called when the size of the window has changed. */
  resize?(): void;
  /** Called when it is not shown again. */
  end?(): void;
}

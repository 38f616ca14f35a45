// What the page asks of a view.

export interface View {
  readonly element: HTMLElement;
  /** It is in view. */
  shown?(): void;
  /** A key that nothing else took; whether it meant something. */
  key?(event: KeyboardEvent): boolean;
  /** The window has another size. */
  resize?(): void;
  /** It is not shown again. */
  end?(): void;
}

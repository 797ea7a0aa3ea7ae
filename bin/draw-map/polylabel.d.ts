declare module 'polylabel' {
  /** The point of a polygon farthest from its outline. */
  export default function polylabel(
    rings: readonly (readonly (readonly number[])[])[],
    precision?: number,
  ): number[] & { distance: number }
}

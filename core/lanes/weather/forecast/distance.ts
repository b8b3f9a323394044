export interface Coordinates {
  /** Decimal degrees, north and east positive. */
  readonly lat: number
  readonly lon: number
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** Kilometres between two points of a sphere of the Earth's mean radius (haversine formula). */
export const kilometres = (a: Coordinates, b: Coordinates): number => {
  const sine = (degrees: number): number => Math.sin(radians(degrees) / 2) ** 2
  const share = sine(b.lat - a.lat) + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * sine(b.lon - a.lon)
  return 2 * 6_371.009 * Math.asin(Math.min(1, Math.sqrt(share)))
}

/** The place nearest to a point, and its distance. */
export const nearest = <A>(
  places: readonly [A, ...ReadonlyArray<A>],
  point: Coordinates,
  where: (place: A) => Coordinates,
): { readonly place: A; readonly kilometres: number } => {
  const measured = places.map((place) => ({ place, kilometres: kilometres(where(place), point) }))
  return measured.reduce((best, next) => (next.kilometres < best.kilometres ? next : best))
}

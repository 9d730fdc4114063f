// The shop's own stock. A real one lives in a database, and a conditional UPDATE decides.
export interface Bookings {
  /** @returns how many this place has in all, or undefined when there are not enough left. */
  book(place: string, quantity: number): number | undefined;
  left(): number;
}

export function createBookings(stock: number): Bookings {
  const booked = new Map<string, number>();
  let remaining = stock;
  return {
    book(place, quantity) {
      if (quantity > remaining) return undefined;
      remaining -= quantity;
      const total = (booked.get(place) ?? 0) + quantity;
      booked.set(place, total);
      return total;
    },
    left: () => remaining,
  };
}

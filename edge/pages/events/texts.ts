import type { Language } from "../kit/i18n.ts";

/** All that the list of events says. It is short enough for one file. */
export type EventsTexts = {
  language: string;
  account: string;
  heading: string;
  mine: string;
  loading: string;
  empty: string;
  noCore: string;
  onSale: string;
  opens: string;
  over: string;
  soldOut: string;
  from: string;
  number: string;
  inPool: string;
  order: string;
  foot: string;
};

export const TEXTS: Readonly<Record<Language, EventsTexts>> = {
  en: {
    language: "Language",
    account: "My account",
    heading: "Events",
    mine: "Your places and orders",
    loading: "One moment",
    empty: "There are no events yet.",
    noCore:
      "The list of events cannot be had right now. Places in line are safe; this page tries again by itself.",
    onSale: "On sale now",
    opens: "Sale opens {time}",
    over: "The sale is over",
    soldOut: "Sold out",
    from: "from {price}",
    number: "Number {n}",
    inPool: "In the draw",
    order: "Order {id}",
    foot: "In the line we never ask for a password or a card.",
  },
  tr: {
    language: "Dil",
    account: "Hesabım",
    heading: "Etkinlikler",
    mine: "Yerleriniz ve siparişleriniz",
    loading: "Bir saniye",
    empty: "Henüz etkinlik yok.",
    noCore:
      "Etkinlik listesi şu anda alınamıyor. Sıradaki yerler güvende; bu sayfa kendiliğinden yeniden dener.",
    onSale: "Satışta",
    opens: "Satış açılışı: {time}",
    over: "Satış bitti",
    soldOut: "Tükendi",
    from: "en düşük {price}",
    number: "Numara {n}",
    inPool: "Çekilişte",
    order: "Sipariş {id}",
    foot: "Sırada asla parola ya da kart bilgisi istemeyiz.",
  },
  de: {
    language: "Sprache",
    account: "Mein Konto",
    heading: "Veranstaltungen",
    mine: "Ihre Plätze und Bestellungen",
    loading: "Einen Moment",
    empty: "Noch keine Veranstaltungen.",
    noCore:
      "Die Liste ist gerade nicht zu bekommen. Plätze in der Schlange sind sicher; die Seite versucht es von selbst wieder.",
    onSale: "Jetzt im Verkauf",
    opens: "Verkauf ab {time}",
    over: "Der Verkauf ist vorbei",
    soldOut: "Ausverkauft",
    from: "ab {price}",
    number: "Nummer {n}",
    inPool: "In der Verlosung",
    order: "Bestellung {id}",
    foot: "In der Schlange fragen wir nie nach Passwort oder Karte.",
  },
  fr: {
    language: "Langue",
    account: "Mon compte",
    heading: "Événements",
    mine: "Vos places et commandes",
    loading: "Un instant",
    empty: "Pas encore d’événement.",
    noCore:
      "La liste est indisponible pour le moment. Les places dans la file sont gardées ; la page réessaie toute seule.",
    onSale: "En vente",
    opens: "En vente à partir de {time}",
    over: "La vente est terminée",
    soldOut: "Complet",
    from: "dès {price}",
    number: "Numéro {n}",
    inPool: "Au tirage",
    order: "Commande {id}",
    foot: "Dans la file, nous ne demandons jamais de mot de passe ni de carte.",
  },
  es: {
    language: "Idioma",
    account: "Mi cuenta",
    heading: "Eventos",
    mine: "Tus lugares y pedidos",
    loading: "Un momento",
    empty: "Aún no hay eventos.",
    noCore:
      "La lista no está disponible ahora. Los lugares en la fila están seguros; la página lo intenta sola de nuevo.",
    onSale: "A la venta",
    opens: "Venta desde: {time}",
    over: "La venta ha terminado",
    soldOut: "Agotado",
    from: "desde {price}",
    number: "Número {n}",
    inPool: "En el sorteo",
    order: "Pedido {id}",
    foot: "En la fila nunca pedimos contraseña ni tarjeta.",
  },
  ar: {
    language: "اللغة",
    account: "حسابي",
    heading: "الفعاليات",
    mine: "أماكنك وطلباتك",
    loading: "لحظة واحدة",
    empty: "لا فعاليات بعد.",
    noCore: "لا يمكن جلب القائمة الآن. الأماكن في الطابور محفوظة، والصفحة تحاول مجددًا تلقائيًا.",
    onSale: "معروضة للبيع الآن",
    opens: "يبدأ البيع: {time}",
    over: "انتهى البيع",
    soldOut: "نفدت",
    from: "ابتداءً من {price}",
    number: "الرقم {n}",
    inPool: "في السحب",
    order: "الطلب {id}",
    foot: "لا نطلب أبدًا كلمة مرور أو بطاقة في الطابور.",
  },
  ru: {
    language: "Язык",
    account: "Мой кабинет",
    heading: "События",
    mine: "Ваши места и заказы",
    loading: "Секунду",
    empty: "Событий пока нет.",
    noCore: "Список сейчас недоступен. Места в очереди сохранены; страница сама повторит попытку.",
    onSale: "В продаже",
    opens: "Начало продажи: {time}",
    over: "Продажа окончена",
    soldOut: "Распродано",
    from: "от {price}",
    number: "Номер {n}",
    inPool: "В жеребьёвке",
    order: "Заказ {id}",
    foot: "В очереди мы никогда не просим пароль или карту.",
  },
};

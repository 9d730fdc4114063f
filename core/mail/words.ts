/**
 * Every sentence that a buyer gets by mail, in every language, in one place: a missing one is a
 * compile error. `{…}` marks are filled in by `fill`, so a translator never meets code.
 */

export type Language = "tr" | "en" | "de" | "fr" | "es" | "ar" | "ru";

export type Words = {
  direction: "ltr" | "rtl";
  /** {event} */
  ticketsSubject: string;
  /** {name} */
  greeting: string;
  /** {event} */
  ticketsIntro: string;
  /** {section} {row} {number} */
  seat: string;
  /** {zone} */
  standing: string;
  void: string;
  total: string;
  openOrder: string;
  showAtDoor: string;
  personalLink: string;
  reseated: string;
  /** {event} */
  refundSubject: string;
  /** {amount} {event} */
  refundIntro: string;
  refundDuplicate: string;
  refundLost: string;
  refundVoid: string;
  refundTime: string;
  order: string;
  codeSubject: string;
  codeIntro: string;
  /** {minutes} */
  codeTime: string;
  codeIgnore: string;
  /** {event} */
  transferSubject: string;
  /** {event} */
  transferIntro: string;
  openTicket: string;
  linksSubject: string;
  linksIntro: string;
};

const tr: Words = {
  direction: "ltr",
  ticketsSubject: "Biletleriniz: {event}",
  greeting: "Merhaba {name},",
  ticketsIntro: "{event} için biletleriniz hazır.",
  seat: "{section}, sıra {row}, koltuk {number}",
  standing: "{zone} (ayakta)",
  void: "geçersiz",
  total: "Toplam",
  openOrder: "Siparişi aç",
  showAtDoor: "Girişte bu kodu telefonunuzdan veya kâğıttan gösterin. Her kod bir kez geçerlidir.",
  personalLink: "Bağlantı size özeldir: kimde varsa biletlere ulaşır.",
  reseated: "Seçtiğiniz yerler dolmuştu; onayınız üzerine aynı bölgeden eş değer yerler verildi.",
  refundSubject: "Para iadesi: {event}",
  refundIntro: "{event} için ödediğiniz {amount} iade edildi.",
  refundDuplicate: "Aynı sipariş için iki ödeme alınmıştı; biri geri gönderildi.",
  refundLost: "Ödemeniz ulaştığında yerleriniz artık boş değildi; bu yüzden para geri gönderildi.",
  refundVoid: "İade edilen biletler artık geçersizdir.",
  refundTime: "Tutarın hesabınızda görünmesi bankanıza göre birkaç gün sürebilir.",
  order: "Sipariş",
  codeSubject: "Giriş kodunuz",
  codeIntro: "Giriş kodunuz:",
  codeTime: "Kod {minutes} dakika geçerlidir ve bir kez kullanılır.",
  codeIgnore: "Bu kodu siz istemediyseniz bu iletiyi yok sayın.",
  transferSubject: "Size bir bilet devredildi: {event}",
  transferIntro: "{event} için size bir bilet devredildi. Önceki kod artık geçersizdir.",
  openTicket: "Bileti aç",
  linksSubject: "Siparişleriniz",
  linksIntro: "bu adresle verilen siparişler:",
};

const en: Words = {
  direction: "ltr",
  ticketsSubject: "Your tickets: {event}",
  greeting: "Hello {name},",
  ticketsIntro: "your tickets for {event} are ready.",
  seat: "{section}, row {row}, seat {number}",
  standing: "{zone} (standing)",
  void: "void",
  total: "Total",
  openOrder: "Open the order",
  showAtDoor: "Show this code at the door, on your phone or on paper. Each code admits once.",
  personalLink: "The link is personal: whoever has it reaches the tickets.",
  reseated: "The seats you chose had gone; as you agreed, you got equal ones in the same zone.",
  refundSubject: "Your refund: {event}",
  refundIntro: "we have returned {amount} that you paid for {event}.",
  refundDuplicate: "The same order had been paid twice; one payment was sent back.",
  refundLost:
    "When your payment arrived the seats were no longer free, so the money was sent back.",
  refundVoid: "The refunded tickets are void.",
  refundTime: "It may take your bank some days to show the amount.",
  order: "Order",
  codeSubject: "Your sign-in code",
  codeIntro: "Your sign-in code:",
  codeTime: "It is good for {minutes} minutes and for one use.",
  codeIgnore: "If you did not ask for it, ignore this message.",
  transferSubject: "A ticket was handed to you: {event}",
  transferIntro: "a ticket for {event} was handed to you. Its earlier code is void.",
  openTicket: "Open the ticket",
  linksSubject: "Your orders",
  linksIntro: "these orders were made with this address:",
};

const de: Words = {
  direction: "ltr",
  ticketsSubject: "Ihre Tickets: {event}",
  greeting: "Guten Tag {name},",
  ticketsIntro: "Ihre Tickets für {event} sind da.",
  seat: "{section}, Reihe {row}, Platz {number}",
  standing: "{zone} (Stehplatz)",
  void: "ungültig",
  total: "Summe",
  openOrder: "Bestellung öffnen",
  showAtDoor:
    "Zeigen Sie diesen Code am Einlass, auf dem Telefon oder auf Papier. Jeder Code gilt einmal.",
  personalLink: "Der Link ist persönlich: Wer ihn hat, kommt an die Tickets.",
  reseated:
    "Die gewählten Plätze waren vergeben; wie vereinbart haben Sie gleichwertige in derselben Zone.",
  refundSubject: "Ihre Erstattung: {event}",
  refundIntro: "wir haben {amount} für {event} erstattet.",
  refundDuplicate: "Dieselbe Bestellung war zweimal bezahlt; eine Zahlung ging zurück.",
  refundLost:
    "Als Ihre Zahlung eintraf, waren die Plätze nicht mehr frei; daher ging das Geld zurück.",
  refundVoid: "Die erstatteten Tickets sind ungültig.",
  refundTime: "Bis der Betrag bei Ihrer Bank erscheint, können einige Tage vergehen.",
  order: "Bestellung",
  codeSubject: "Ihr Anmeldecode",
  codeIntro: "Ihr Anmeldecode:",
  codeTime: "Er gilt {minutes} Minuten und für eine Anmeldung.",
  codeIgnore: "Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese Nachricht.",
  transferSubject: "Ein Ticket für Sie: {event}",
  transferIntro: "Ihnen wurde ein Ticket für {event} übergeben. Der frühere Code ist ungültig.",
  openTicket: "Ticket öffnen",
  linksSubject: "Ihre Bestellungen",
  linksIntro: "mit dieser Adresse wurde bestellt:",
};

const fr: Words = {
  direction: "ltr",
  ticketsSubject: "Vos billets : {event}",
  greeting: "Bonjour {name},",
  ticketsIntro: "vos billets pour {event} sont prêts.",
  seat: "{section}, rang {row}, place {number}",
  standing: "{zone} (debout)",
  void: "annulé",
  total: "Total",
  openOrder: "Ouvrir la commande",
  showAtDoor:
    "Présentez ce code à l’entrée, sur téléphone ou sur papier. Chaque code est valable une fois.",
  personalLink: "Ce lien est personnel : qui le possède accède aux billets.",
  reseated:
    "Les places choisies étaient prises ; comme convenu, vous en avez d’équivalentes dans la zone.",
  refundSubject: "Votre remboursement : {event}",
  refundIntro: "nous avons remboursé {amount} pour {event}.",
  refundDuplicate: "La même commande avait été payée deux fois ; un paiement a été rendu.",
  refundLost:
    "À l’arrivée de votre paiement, les places n’étaient plus libres ; l’argent a été rendu.",
  refundVoid: "Les billets remboursés sont annulés.",
  refundTime: "Votre banque peut mettre quelques jours à afficher le montant.",
  order: "Commande",
  codeSubject: "Votre code de connexion",
  codeIntro: "Votre code de connexion :",
  codeTime: "Il est valable {minutes} minutes, une seule fois.",
  codeIgnore: "Si vous ne l’avez pas demandé, ignorez ce message.",
  transferSubject: "Un billet vous a été transmis : {event}",
  transferIntro: "un billet pour {event} vous a été transmis. Son ancien code est annulé.",
  openTicket: "Ouvrir le billet",
  linksSubject: "Vos commandes",
  linksIntro: "voici les commandes passées avec cette adresse :",
};

const es: Words = {
  direction: "ltr",
  ticketsSubject: "Sus entradas: {event}",
  greeting: "Hola, {name}:",
  ticketsIntro: "sus entradas para {event} están listas.",
  seat: "{section}, fila {row}, asiento {number}",
  standing: "{zone} (de pie)",
  void: "anulada",
  total: "Total",
  openOrder: "Abrir el pedido",
  showAtDoor:
    "Muestre este código en la entrada, en el teléfono o en papel. Cada código vale una vez.",
  personalLink: "El enlace es personal: quien lo tenga accede a las entradas.",
  reseated:
    "Los asientos elegidos ya no estaban; como aceptó, recibió otros iguales de la misma zona.",
  refundSubject: "Su reembolso: {event}",
  refundIntro: "hemos devuelto {amount} por {event}.",
  refundDuplicate: "El mismo pedido se había pagado dos veces; se devolvió un pago.",
  refundLost:
    "Cuando llegó su pago los asientos ya no estaban libres; por eso se devolvió el dinero.",
  refundVoid: "Las entradas reembolsadas quedan anuladas.",
  refundTime: "Su banco puede tardar unos días en mostrar el importe.",
  order: "Pedido",
  codeSubject: "Su código de acceso",
  codeIntro: "Su código de acceso:",
  codeTime: "Vale {minutes} minutos y para un solo uso.",
  codeIgnore: "Si no lo ha pedido, ignore este mensaje.",
  transferSubject: "Le han cedido una entrada: {event}",
  transferIntro: "le han cedido una entrada para {event}. El código anterior queda anulado.",
  openTicket: "Abrir la entrada",
  linksSubject: "Sus pedidos",
  linksIntro: "estos son los pedidos hechos con esta dirección:",
};

const ar: Words = {
  direction: "rtl",
  ticketsSubject: "تذاكرك: {event}",
  greeting: "مرحبًا {name}،",
  ticketsIntro: "تذاكرك لحضور {event} جاهزة.",
  seat: "{section}، الصف {row}، المقعد {number}",
  standing: "{zone} (وقوفًا)",
  void: "ملغاة",
  total: "المجموع",
  openOrder: "افتح الطلب",
  showAtDoor: "أظهر هذا الرمز عند المدخل على هاتفك أو على الورق. كل رمز صالح مرة واحدة.",
  personalLink: "الرابط شخصي: كل من يملكه يصل إلى التذاكر.",
  reseated: "لم تعد المقاعد التي اخترتها متاحة؛ وكما وافقت حصلت على مقاعد مماثلة في المنطقة نفسها.",
  refundSubject: "استرداد المبلغ: {event}",
  refundIntro: "أعدنا إليك {amount} مما دفعته مقابل {event}.",
  refundDuplicate: "دُفع الطلب نفسه مرتين؛ وأُعيدت إحدى الدفعتين.",
  refundLost: "عند وصول دفعتك لم تعد المقاعد متاحة؛ لذلك أُعيد المبلغ.",
  refundVoid: "التذاكر المستردة أصبحت ملغاة.",
  refundTime: "قد يستغرق ظهور المبلغ في حسابك بضعة أيام.",
  order: "الطلب",
  codeSubject: "رمز الدخول",
  codeIntro: "رمز الدخول الخاص بك:",
  codeTime: "الرمز صالح {minutes} دقائق ولمرة واحدة.",
  codeIgnore: "إذا لم تطلبه فتجاهل هذه الرسالة.",
  transferSubject: "نُقلت إليك تذكرة: {event}",
  transferIntro: "نُقلت إليك تذكرة لحضور {event}. ورمزها السابق أصبح ملغى.",
  openTicket: "افتح التذكرة",
  linksSubject: "طلباتك",
  linksIntro: "هذه هي الطلبات المسجلة بهذا العنوان:",
};

const ru: Words = {
  direction: "ltr",
  ticketsSubject: "Ваши билеты: {event}",
  greeting: "Здравствуйте, {name}!",
  ticketsIntro: "Ваши билеты на {event} готовы.",
  seat: "{section}, ряд {row}, место {number}",
  standing: "{zone} (стоя)",
  void: "недействителен",
  total: "Итого",
  openOrder: "Открыть заказ",
  showAtDoor: "Покажите код на входе — на телефоне или на бумаге. Каждый код действует один раз.",
  personalLink: "Ссылка личная: у кого она есть, тот получает билеты.",
  reseated: "Выбранные места были заняты; с вашего согласия выданы равноценные в той же зоне.",
  refundSubject: "Возврат: {event}",
  refundIntro: "Мы вернули {amount}, оплаченные за {event}.",
  refundDuplicate: "Один и тот же заказ был оплачен дважды; один платёж возвращён.",
  refundLost: "Когда пришёл платёж, места были уже заняты; поэтому деньги возвращены.",
  refundVoid: "Возвращённые билеты недействительны.",
  refundTime: "Банку может понадобиться несколько дней, чтобы показать сумму.",
  order: "Заказ",
  codeSubject: "Код для входа",
  codeIntro: "Ваш код для входа:",
  codeTime: "Код действует {minutes} минут и только один раз.",
  codeIgnore: "Если вы его не запрашивали, не обращайте внимания на это письмо.",
  transferSubject: "Вам передан билет: {event}",
  transferIntro: "Вам передан билет на {event}. Прежний код недействителен.",
  openTicket: "Открыть билет",
  linksSubject: "Ваши заказы",
  linksIntro: "Заказы, сделанные с этого адреса:",
};

export const WORDS: Readonly<Record<Language, Words>> = { tr, en, de, fr, es, ar, ru };

import type { AccountTexts } from "./en.ts";

export const texts: AccountTexts = {
  language: "Idioma",
  title: "Mi cuenta",
  loading: "Un momento …",
  signIn: "Entrar",
  signInBody:
    "Solo con su correo electrónico. Inscripciones, pases de entrada, pedidos y entradas quedan en un mismo lugar.",
  signInFor: "Entrar para {event}",
  signInForBody:
    "Esta cola es para personas inscritas: una persona, un lugar. Entre, inscríbase una vez y su pase le llevará a la cola.",
  email: "Correo electrónico",
  emailHint: "Le enviamos allí un código. No hay contraseña.",
  sendCode: "Envíenme un código",
  codeSent: "Un código va de camino a {email}. Vale diez minutos.",
  code: "Código del correo",
  codeHint: "Ocho cifras. Cinco intentos; después pida uno nuevo.",
  goIn: "Entrar",
  codeAgain: "Enviar otro código",
  otherEmail: "Otra dirección",
  signedInAs: "Ha entrado como {email}",
  signOut: "Salir",
  passes: "Sus pases de entrada",
  passesBody: "La cola le reconoce por su pase, en el dispositivo en que lo abra por última vez.",
  registered: "Está inscrito",
  toLine: "Ir a la cola",
  register: "Inscribirse antes de la venta",
  registerBody:
    "Inscribirse antes no da mejor lugar; demuestra que usted es una sola persona y lleva un momento.",
  registerNow: "Inscribirse",
  saleOpens: "Apertura de la venta: {time}",
  onSale: "A la venta ahora",
  orders: "Pedidos y entradas",
  noOrders: "Todavía no se ha comprado nada con esta cuenta.",
  openTickets: "Abrir las entradas",
  openOrder: "Abrir el pedido",
  states: {
    pending: "Sin pagar todavía",
    paid: "Pagado",
    expired: "Caducado",
    cancelled: "Cancelado",
    refunded: "Reembolsado",
    part_refunded: "Reembolsado en parte",
  },
  data: "Mis datos",
  dataBody:
    "Llévese una copia de todo lo que se guarda sobre usted o haga que se olvide. Los pagos quedan en los libros, sin su nombre.",
  copy: "Guardar una copia",
  erase: "Olvidarme",
  eraseWarn:
    "El nombre y la dirección se borran de todos los pedidos y nadie podrá volver a enviarle sus entradas. No se puede deshacer.",
  eraseYes: "Olvidar todo sobre mí",
  eraseNo: "Conservar mi cuenta",
  erased: [
    "Se le ha olvidado",
    "Aquí ya nada le nombra. Las entradas que haya guardado siguen abriendo la puerta.",
  ],
};

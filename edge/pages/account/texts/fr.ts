import type { AccountTexts } from "./en.ts";

export const texts: AccountTexts = {
  language: "Langue",
  title: "Mon compte",
  loading: "Un instant …",
  signIn: "Se connecter",
  signInBody:
    "Avec votre seule adresse e-mail. Inscriptions, laissez-passer, commandes et billets sont alors réunis au même endroit.",
  signInFor: "Se connecter pour {event}",
  signInForBody:
    "Cette file est réservée aux personnes inscrites : une personne, une place. Connectez-vous, inscrivez-vous une fois, et votre laissez-passer vous mène à la file.",
  email: "E-mail",
  emailHint: "Nous y envoyons un code. Il n’y a pas de mot de passe.",
  sendCode: "Envoyez-moi un code",
  codeSent: "Un code est en route vers {email}. Il est valable dix minutes.",
  code: "Code reçu par e-mail",
  codeHint: "Huit chiffres. Cinq essais, puis demandez-en un nouveau.",
  goIn: "Se connecter",
  codeAgain: "Envoyer un nouveau code",
  otherEmail: "Autre adresse",
  signedInAs: "Connecté en tant que {email}",
  signOut: "Se déconnecter",
  passes: "Vos laissez-passer",
  passesBody:
    "La file vous reconnaît à votre laissez-passer, sur l’appareil où vous l’ouvrez en dernier.",
  registered: "Vous êtes inscrit",
  toLine: "Aller à la file",
  register: "S’inscrire avant la vente",
  registerBody:
    "S’inscrire tôt ne donne pas de meilleure place ; cela montre que vous êtes une seule personne, et ne prend qu’un instant.",
  registerNow: "S’inscrire",
  saleOpens: "Ouverture de la vente : {time}",
  onSale: "En vente actuellement",
  orders: "Commandes et billets",
  noOrders: "Rien n’a encore été acheté avec ce compte.",
  openTickets: "Ouvrir les billets",
  openOrder: "Ouvrir la commande",
  states: {
    pending: "Pas encore payée",
    paid: "Payée",
    expired: "Expirée",
    cancelled: "Annulée",
    refunded: "Remboursée",
    part_refunded: "Remboursée en partie",
  },
  data: "Mes données",
  dataBody:
    "Prenez une copie de tout ce qui est conservé sur vous, ou faites-le oublier. Les paiements restent dans les comptes, sans votre nom.",
  copy: "Enregistrer une copie",
  erase: "M’oublier",
  eraseWarn:
    "Nom et adresse sont effacés de toutes les commandes, et personne ne pourra vous renvoyer vos billets. C’est irréversible.",
  eraseYes: "Oublier tout ce qui me concerne",
  eraseNo: "Garder mon compte",
  erased: [
    "Vous êtes oublié",
    "Plus rien ici ne vous nomme. Les billets que vous avez enregistrés ouvrent toujours la porte.",
  ],
};

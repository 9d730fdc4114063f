import type { AccountTexts } from "./en.ts";

export const texts: AccountTexts = {
  language: "Dil",
  title: "Hesabım",
  loading: "Bir saniye …",
  signIn: "Giriş yap",
  signInBody:
    "Yalnızca e-posta adresinizle. Kayıtlar, giriş kartları, siparişler ve biletler tek yerde durur.",
  signInFor: "{event} için giriş yapın",
  signInForBody:
    "Bu sıra kayıtlı kişiler içindir: bir kişi, bir yer. Giriş yapın, bir kez kaydolun; giriş kartınız sizi sıraya götürür.",
  email: "E-posta",
  emailHint: "Oraya bir kod göndeririz. Parola yoktur.",
  sendCode: "Bana kod gönder",
  codeSent: "{email} adresine bir kod gönderildi. On dakika geçerlidir.",
  code: "E-postadaki kod",
  codeHint: "Sekiz rakam. Beş deneme hakkınız var, sonra yenisini isteyin.",
  goIn: "Giriş yap",
  codeAgain: "Yeni kod gönder",
  otherEmail: "Başka adres",
  signedInAs: "{email} olarak giriş yapıldı",
  signOut: "Çıkış yap",
  passes: "Giriş kartlarınız",
  passesBody: "Sıra sizi kartınızdan tanır; en son hangi cihazda açtıysanız orada geçerlidir.",
  registered: "Kayıtlısınız",
  toLine: "Sıraya git",
  register: "Satıştan önce kaydolun",
  registerBody:
    "Erken kaydolmak daha iyi bir yer sağlamaz; tek bir kişi olduğunuzu gösterir ve bir dakika sürer.",
  registerNow: "Kaydol",
  saleOpens: "Satış açılışı: {time}",
  onSale: "Şu anda satışta",
  orders: "Siparişler ve biletler",
  noOrders: "Bu hesapla henüz bir şey alınmadı.",
  openTickets: "Biletleri aç",
  openOrder: "Siparişi aç",
  states: {
    pending: "Henüz ödenmedi",
    paid: "Ödendi",
    expired: "Süresi doldu",
    cancelled: "İptal edildi",
    refunded: "İade edildi",
    part_refunded: "Kısmen iade edildi",
  },
  data: "Verilerim",
  dataBody:
    "Hakkınızda tutulan her şeyin bir kopyasını alın veya unutulmasını isteyin. Ödemeler adınız olmadan kayıtlarda kalır.",
  copy: "Kopyasını kaydet",
  erase: "Beni unut",
  eraseWarn:
    "Ad ve adres bütün siparişlerden silinir ve biletleriniz size bir daha gönderilemez. Bu geri alınamaz.",
  eraseYes: "Hakkımdaki her şeyi unut",
  eraseNo: "Hesabımı koru",
  erased: [
    "Unutuldunuz",
    "Burada artık sizi adlandıran bir şey yok. Kaydettiğiniz biletler kapıyı hâlâ açar.",
  ],
};
